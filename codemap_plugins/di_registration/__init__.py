"""What is registered in containers for dependency injection: facts of the kind ``di_registration``, and links of the role ``registers``.

plugin            the hooks
registration      one registration, and the rows that it gives
roles             which argument of a registering call is what
factories         the type that a factory gives
services          calls on ``IServiceCollection``
descriptors       ``ServiceDescriptor``
autofac           Autofac's builder with its chains
further           calls beyond the contract that name what they register
exposed           calls whose name has the lifetime, and whose chain names the services
scans             calls that register what they find in assemblies
scanned           what they find
wrappers          generic methods of the repository that register their type arguments
extractor         the extractors of registrations that stand in the code
"""
