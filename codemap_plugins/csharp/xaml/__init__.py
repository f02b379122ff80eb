"""Pages of XAML as the C# that they stand for."""
