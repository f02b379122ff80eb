"""Folders with a buf.yaml are projects of their protocol buffers."""

from codemap_core.model import Project, ProjectGraph


class BufModules:
    name = "buf"

    def load(self, files, solution):
        return ProjectGraph(tuple(module(files, path) for path in files.paths if path.rpartition("/")[2] == "buf.yaml"))


def module(files, path):
    folder = path.removesuffix("buf.yaml")
    name = folder.strip("/").rpartition("/")[2] or "protos"
    sources = tuple(each for each in files.paths if each.startswith(folder) and each.endswith(".proto"))
    return Project(project_path=path, name=name, assembly_name=name, files=sources)
