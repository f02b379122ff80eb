"""Files of protocol buffers as the C# that ``protoc`` and its plug-in for gRPC make of them.

syntax        messages, enumerations and services, with places
names         what they are called in C#
type_names    what the types of fields and methods are in C#
messages      messages and enumerations as C#
services      services as C#
compilation   the file as C#
"""
