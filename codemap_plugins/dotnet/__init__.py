"""Solutions and projects of .NET, evaluated without MSBuild."""
