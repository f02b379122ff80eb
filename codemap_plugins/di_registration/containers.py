"""Containers besides Microsoft's and Autofac's, as data: what their registering calls are called, and what these and the calls after them
say of service, implementation and lifetime.

Some say all of it in one call, ``container.Register<IClock, UtcClock>(Lifestyle.Singleton)``; others in a chain,
``Bind<IClock>().To<UtcClock>().InSingletonScope()``, which begins with the service.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_plugins.di_registration.registration import SCOPED, SINGLETON, TRANSIENT


class Gives(StrEnum):
    """What a call is given beside the service."""

    TYPE = "type"
    """A type or a factory; the service itself where there is neither."""
    INSTANCE = "instance"
    FACTORY = "factory"
    DECORATOR = "decorator"
    SELF = "self"
    INTERFACES = "interfaces"
    """A type that is registered for its interfaces and itself."""


class Verb(Struct, frozen=True):
    """A call that registers. ``lifetime``: what it says of it; empty where that is the container's default, or another call's."""

    gives: Gives
    lifetime: str = ""


class Container(Struct, frozen=True, kw_only=True):
    """``declaring``: beginnings of the ids of members, without ``M:``, that are its own. ``packages``: lower case. ``receivers``: names of
    types that are its own, by which calls that were not bound are known; where the project references one of the packages, any receiver
    that is not known will do.

    ``verbs``: calls that register by themselves. ``starts``: calls that begin a chain with services, with the lifetime that they say;
    ``links``: those of the chain that give what answers; ``registers_alone``: a start without one registers the service itself.
    ``lifetimes``: in the chain, the names of calls; among the arguments of a verb or a link, the last names of what is named, called
    or created. ``keys``: calls of the chain, or parameters of verbs, that give a key."""

    declaring: tuple[str, ...]
    packages: tuple[str, ...]
    receivers: tuple[str, ...] = ()
    default: str = TRANSIENT
    verbs: Mapping[str, Verb] = {}
    starts: Mapping[str, str] = {}
    links: Mapping[str, Verb] = {}
    registers_alone: bool = False
    further_services: tuple[str, ...] = ()
    """Calls of the chain that add a service."""
    lifetimes: Mapping[str, str] = {}
    keys: tuple[str, ...] = ()


_TYPE: Final = Verb(Gives.TYPE)
_FACTORY: Final = Verb(Gives.FACTORY)
_INSTANCE: Final = Verb(Gives.INSTANCE, SINGLETON)
_DECORATOR: Final = Verb(Gives.DECORATOR)
_STRUCTURE_MAP_LINKS: Final[Mapping[str, Verb]] = {
    "Use": _TYPE,
    "UseIfNone": _TYPE,
    "Add": _TYPE,
    "DecorateAllWith": _DECORATOR,
}

CASTLE_WINDSOR: Final = Container(
    declaring=("Castle.MicroKernel.Registration.",),
    packages=("castle.windsor",),
    receivers=("Component",),
    default=SINGLETON,
    starts={"For": ""},
    links={
        "ImplementedBy": _TYPE,
        "Instance": _INSTANCE,
        "UsingFactoryMethod": _FACTORY,
        "UsingFactory": _FACTORY,
    },
    registers_alone=True,
    further_services=("Forward",),
    lifetimes={
        "LifestyleSingleton": SINGLETON,
        "LifestyleTransient": TRANSIENT,
        "LifestylePooled": TRANSIENT,
        "LifestyleScoped": SCOPED,
        "LifestylePerWebRequest": SCOPED,
        "LifestylePerThread": SCOPED,
        "LifestyleBoundTo": SCOPED,
    },
    keys=("Named",),
)
DRY_IOC: Final = Container(
    declaring=("DryIoc.",),
    packages=("dryioc", "dryioc.dll", "dryioc.microsoft.dependencyinjection"),
    receivers=("IRegistrator",),
    verbs={
        "Register": _TYPE,
        "RegisterInstance": _INSTANCE,
        "RegisterDelegate": _FACTORY,
        "RegisterMany": Verb(Gives.INTERFACES),
    },
    lifetimes={
        "Singleton": SINGLETON,
        "Transient": TRANSIENT,
        "Scoped": SCOPED,
        "ScopedTo": SCOPED,
        "ScopedOrSingleton": SCOPED,
        "InWebRequest": SCOPED,
        "InCurrentScope": SCOPED,
        "InThread": SCOPED,
    },
    keys=("serviceKey",),
)
LAMAR: Final = Container(
    declaring=("Lamar.",),
    packages=("lamar", "lamar.microsoft.dependencyinjection"),
    receivers=("ServiceRegistry",),
    starts={"For": "", "ForSingletonOf": SINGLETON},
    links=_STRUCTURE_MAP_LINKS,
    lifetimes={"Singleton": SINGLETON, "Scoped": SCOPED, "Transient": TRANSIENT},
    keys=("Named",),
)
NINJECT: Final = Container(
    declaring=("Ninject.",),
    packages=("ninject",),
    receivers=("IKernel", "StandardKernel", "IBindingRoot"),
    starts={"Bind": "", "Rebind": ""},
    links={
        "To": _TYPE,
        "ToSelf": Verb(Gives.SELF),
        "ToConstant": _INSTANCE,
        "ToMethod": _FACTORY,
    },
    lifetimes={
        "InSingletonScope": SINGLETON,
        "InTransientScope": TRANSIENT,
        "InRequestScope": SCOPED,
        "InThreadScope": SCOPED,
        "InScope": SCOPED,
        "InCallScope": SCOPED,
        "InNamedScope": SCOPED,
        "InParentScope": SCOPED,
    },
    keys=("Named",),
)
SIMPLE_INJECTOR: Final = Container(
    declaring=("SimpleInjector.",),
    packages=("simpleinjector",),
    verbs={
        "Register": _TYPE,
        "RegisterConditional": _TYPE,
        "RegisterSingleton": Verb(Gives.TYPE, SINGLETON),
        "RegisterInstance": _INSTANCE,
        "RegisterDecorator": _DECORATOR,
    },
    lifetimes={"Singleton": SINGLETON, "Scoped": SCOPED, "Transient": TRANSIENT},
)
STRUCTURE_MAP: Final = Container(
    declaring=("StructureMap.",),
    packages=("structuremap", "structuremap.microsoft.dependencyinjection"),
    receivers=("ConfigurationExpression",),
    starts={"For": "", "ForSingletonOf": SINGLETON},
    links=_STRUCTURE_MAP_LINKS,
    lifetimes={
        "Singleton": SINGLETON,
        "Transient": TRANSIENT,
        "AlwaysUnique": TRANSIENT,
        "ContainerScoped": SCOPED,
        "HttpContextScoped": SCOPED,
        "HybridHttpOrThreadLocalScoped": SCOPED,
    },
    keys=("Named",),
)
UNITY: Final = Container(
    declaring=("Unity.", "Microsoft.Practices.Unity."),
    packages=("unity", "unity.container", "unity.abstractions"),
    receivers=("IUnityContainer", "UnityContainer"),
    verbs={
        "RegisterType": _TYPE,
        "RegisterSingleton": Verb(Gives.TYPE, SINGLETON),
        "RegisterInstance": _INSTANCE,
        "RegisterFactory": _FACTORY,
    },
    lifetimes={
        "Singleton": SINGLETON,
        "PerContainer": SINGLETON,
        "Transient": TRANSIENT,
        "Scoped": SCOPED,
        "Hierarchical": SCOPED,
        "PerThread": SCOPED,
        "ContainerControlledLifetimeManager": SINGLETON,
        "SingletonLifetimeManager": SINGLETON,
        "TransientLifetimeManager": TRANSIENT,
        "HierarchicalLifetimeManager": SCOPED,
        "PerRequestLifetimeManager": SCOPED,
        "PerThreadLifetimeManager": SCOPED,
    },
    keys=("name",),
)
CONTAINERS: Final = (CASTLE_WINDSOR, DRY_IOC, LAMAR, NINJECT, SIMPLE_INJECTOR, STRUCTURE_MAP, UNITY)
RECEIVERS: Final = tuple(each for container in CONTAINERS for each in container.receivers if each != "Component")
"""Names of the types that containers are handed on as; what Castle Windsor's calls are done to is not one of them."""
