// What TypeScript's own language service says every identifier of a package means.
//
// node typescript_definitions.mjs PATH-OF-typescript.js ROOT < list-of-files > definitions.jsonl
// One line for each identifier that has a definition in one of the files: [file, line, column, [[file, line, column, kind], …]], 1-based.

import { createRequire } from 'node:module';
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';

const require = createRequire(import.meta.url);
const ts = require(path.resolve(process.argv[2]));
const root = path.resolve(process.argv[3]);
const files = readFileSync(0, 'utf8').split('\n').filter(Boolean).map(each => path.join(root, each));
const known = new Set(files);

/** The files that one configuration governs, by its path. */
const groups = new Map();
for (const file of files) {
  const config = ts.findConfigFile(path.dirname(file), ts.sys.fileExists) ?? '';
  const held = config.startsWith(root) ? config : '';
  groups.set(held, [...(groups.get(held) ?? []), file]);
}

function optionsOf(config) {
  const base = { allowJs: false, noEmit: true, jsx: ts.JsxEmit.Preserve };
  if (!config) return { ...base, target: ts.ScriptTarget.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext };
  const read = ts.readConfigFile(config, ts.sys.readFile);
  let parsed = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, path.dirname(config));
  for (const each of read.config?.references ?? []) {
    const named = path.resolve(path.dirname(config), each.path);
    if (!parsed.options.paths && named.endsWith('.json') && path.dirname(named) === path.dirname(config)) {
      const other = ts.readConfigFile(named, ts.sys.readFile);
      parsed = ts.parseJsonConfigFileContent(other.config ?? {}, ts.sys, path.dirname(named));
    }
  }
  return { ...parsed.options, ...base, composite: false, incremental: false, jsx: parsed.options.jsx ?? base.jsx };
}

for (const [config, members] of groups) {
  const options = optionsOf(config);
  const host = {
    getScriptFileNames: () => config ? [...members, ...files.filter(each => each.endsWith('.d.ts') && each.startsWith(path.dirname(config)))] : members,
    getScriptVersion: () => '1',
    getScriptSnapshot: name => existsSync(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
    getCurrentDirectory: () => config ? path.dirname(config) : root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: given => ts.getDefaultLibFilePath(given),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  const program = service.getProgram();
  const place = (source, position) => {
    const at = source.getLineAndCharacterOfPosition(position);
    return [at.line + 1, at.character + 1];
  };
  for (const file of new Set(members)) {
    const source = program.getSourceFile(file);
    if (!source) continue;
    const visit = node => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const start = node.getStart(source);
        let found = [];
        try { found = service.getDefinitionAtPosition(file, start) ?? []; } catch { found = []; }
        const inside = found.filter(each => known.has(path.normalize(each.fileName)));
        if (inside.length) {
          const said = inside.map(each => {
            const other = program.getSourceFile(each.fileName);
            return [path.relative(root, each.fileName), ...place(other, each.textSpan.start), each.kind];
          });
          process.stdout.write(JSON.stringify([path.relative(root, file), ...place(source, start), said]) + '\n');
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
}
