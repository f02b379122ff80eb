"""A small repository that has what the examples of the contract show, line by line, and the odd things that a checkout may hold."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tests.server.shop import commit, git

FILES = {
    "src/Auth/Auth.csproj": """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><Nullable>enable</Nullable></PropertyGroup>
</Project>
""",
    "src/Auth/AuthService.cs": """using System;
using System.Threading.Tasks;
using MyApp.Data;

namespace MyApp.Auth;

public sealed record AuthResult(bool Succeeded, string Token);

/// <summary>Checks who somebody is.</summary>
public class AuthService : AuthServiceBase, IAuthService
{
    private readonly UserStore _users;
    private int _attempts;

    public AuthService(UserStore users) => _users = users;

    public event EventHandler? LockedOut;

    public string Realm { get; set; } = "main";

    public static AuthService Create(UserStore users)
    {
        return new AuthService(users);
    }

    [Obsolete("Use Authenticate.")]
    public bool Check(string username)
    {
        return _users.Find(username) is not null;
    }

    public override string Describe()
    {
        return $"{Realm}: {_attempts}";
    }




    /// <summary>Signs a user in.</summary>
    /// <param name="username">Who.</param>
    public async Task<AuthResult> Authenticate(string username, string password)
    {
        var user = _users.Find(username);
        _attempts++;
        if (user is null)
        {
            LockedOut?.Invoke(this, EventArgs.Empty);
            return new AuthResult(false, "");
        }

        await Task.Yield();
        if (user.Password != password)
        {
            return new AuthResult(false, "");
        }
        return new AuthResult(true, user.Name);
    }

    public Task<AuthResult> Authenticate(string token) => Authenticate(token, token);"""
    + "\n" * 60
    + """}
""",
    "src/Auth/IAuthService.cs": """using System.Threading.Tasks;

namespace MyApp.Auth;

public interface INamed { string Describe(); }

public interface IAuthService : INamed
{
    Task<AuthResult> Authenticate(string username, string password);
}

public abstract class AuthServiceBase
{
    public abstract string Describe();
}

public static class Rules
{
    public static bool IsName(string text) => text.Length > 0;
}
""",
    "src/Auth/UserStore.cs": """using System.Collections.Generic;

namespace MyApp.Data;

public class User
{
    public string Name = "";
    public string Password = "";
}

public partial class UserStore
{
    private readonly Dictionary<string, User> _byName = new();

    public User? Find(string name) => _byName.GetValueOrDefault(name);
}
""",
    "src/Auth/UserStore.Saving.cs": """namespace MyApp.Data;

public partial class UserStore
{
    public void Save(User user) => _byName[user.Name] = user;
}
""",
    "src/Controllers/Controllers.csproj": """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../Auth/Auth.csproj" /></ItemGroup>
</Project>
""",
    "src/Controllers/LoginController.cs": """using System.Threading.Tasks;
using MyApp.Auth;
using static MyApp.Auth.Rules;

namespace MyApp.Controllers;

public class LoginController
{
    private readonly IAuthService _service;
    private readonly AuthService _direct;

    public LoginController(IAuthService service, AuthService direct)
    {
        _service = service;
        _direct = direct;
    }

    public AuthService Service => _direct;

    public string Title()
    {
        return nameof(AuthService);
    }

    public async Task<bool> HandleLogin(string name, string password)
    {
        if (!IsName(name))
        {
            return false;
        }
        var found = await _direct.Authenticate(name, password);
        return found.Succeeded;
    }

    public Task<AuthResult> Again(string name) => _service.Authenticate(name, name);
}
""",
    ".gitignore": """bin/
*.log
!kept.log
/local
""",
    "src/.gitignore": """*.tmp
!*.log
""",
    "src/Auth/debug.log": """shown, as the inner file says
""",
    "kept.log": """kept
""",
    "notes.txt": """one
two
three""",
}
IGNORED = {
    "debug.log": "hidden",
    "bin/out.txt": "hidden",
    "src/Auth/bin/out.txt": "hidden",
    "src/scratch.tmp": "hidden",
    "local": "hidden",
    "private.key": "hidden by info/exclude",
    "node_modules/left.js": "hidden by the project's configuration",
}
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\2\0\0\0"
SECRET = "what lies outside is not to be seen"


def create(folder: Path) -> Path:
    """Lays the repository out with one commit, then what is not committed: ignored files, links, a pipe, a socket. Beside it, in
    ``outside``, lies what nobody may reach."""
    _write(folder, FILES)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "First")
    _write(folder, IGNORED)
    _write(folder, {".codeagent/config.json": '{"exclude": ["node_modules/"], "onStart": "touch started"}'})
    with (folder / ".git/info/exclude").open("a", encoding="utf-8") as file:
        file.write("*.key\n")
    (folder / "logo.png").write_bytes(PNG)
    outside = folder.parent / "outside"
    _write(outside, {"secret.txt": SECRET, "deeper/secret.txt": SECRET})
    _link(folder, outside)
    return folder


LINKS = {
    "links/out": "../../outside",
    "links/file": "../../outside/secret.txt",
    "links/up": "..",
    "links/far": "../../../../../../../../../../etc",
    "links/devices": "/dev",
    "links/zero": "/dev/zero",
    "links/git": "../.git",
    "links/config": "../.git/config",
    "links/loop": "loop",
    "links/there": "back",
    "links/back": "there",
    "links/chain": "chain2",
    "links/chain2": "out",
    "links/nowhere": "nothing",
    "links/inside": "../src/Auth",
    "links/note": "../notes.txt",
    "links/zigzag": "../src/../../outside/secret.txt",
    "links/process": "/proc/self/root",
    "links/environment": "/proc/self/environ",
}
"""What each link says. ``inside`` and ``note`` alone lead to files of the repository that may be read."""


def _link(folder: Path, outside: Path) -> None:
    (folder / "links").mkdir()
    for name, target in LINKS.items():
        (folder / name).symlink_to(target)
    (folder / "links/absolute").symlink_to(outside / "secret.txt")
    (folder / "links/home").symlink_to(folder / "notes.txt")
    os.mkfifo(folder / "links/pipe")
    listening = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(folder)  # the name of a socket has a hundred characters at most
    try:
        listening.bind("links/socket")
    finally:
        os.chdir(here)
        listening.close()


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
