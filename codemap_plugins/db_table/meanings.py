"""What calls of Entity Framework Core do with tables, and those of clients of stores that have none."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id, type_ids
from codemap_core.model.meanings import Does, EntityStore, LibraryCalls, Meanings

_SPACE: Final = "Microsoft.EntityFrameworkCore."
_CONTEXT: Final = type_id(f"{_SPACE}DbContext")

ENTITY_FRAMEWORK: Final = Meanings(
    name="entity_framework",
    calls=(LibraryCalls(does=Does.SAVES, types=(_CONTEXT,), names=("SaveChanges",)),),
    stores=(
        EntityStore(
            contexts=(_CONTEXT,),
            of_type=("Find", "FindAsync", "Set"),
            of_object=tuple(
                f"{name}{ending}"
                for name in ("Add", "Attach", "Remove", "Update")
                for ending in ("", "Async", "Range", "RangeAsync")
            ),
            changing=type_ids(
                f"{_SPACE}DbSet`1",
                f"{_SPACE}EntityFrameworkQueryableExtensions",
                f"{_SPACE}RelationalQueryableExtensions",
            ),
            changes=(
                *("Add", "AddAsync", "AddRange", "AddRangeAsync", "Update", "UpdateRange", "Remove", "RemoveRange"),
                *("ExecuteDelete", "ExecuteDeleteAsync", "ExecuteUpdate", "ExecuteUpdateAsync"),
            ),
        ),
    ),
)


def _of_client(types: tuple[str, ...], reads: tuple[str, ...], writes: tuple[str, ...]) -> tuple[LibraryCalls, ...]:
    ids = tuple(map(type_id, types))
    return (
        LibraryCalls(does=Does.WRITES_STORE, types=ids, names=writes),
        LibraryCalls(does=Does.READS_STORE, types=ids, names=reads),
    )


_REDIS_KINDS: Final = ("Hash", "List", "Set", "SortedSet", "Stream", "String")
_REDIS_WRITES: Final = (
    *("Acknowledge", "Add", "Append", "AutoClaim", "BitOperation", "Claim", "CombineAndStore", "Create"),
    *("Decrement", "Delete", "FieldExpire", "FieldPersist", "GetDelete", "GetSet", "Increment", "Insert"),
    *("LeftP", "Move", "Pop", "RangeAndStore", "Remove", "RightP", "Update"),
)
STORES: Final = Meanings(
    name="stores",
    calls=(
        *_of_client(
            ("StackExchange.Redis.IDatabase", "StackExchange.Redis.IDatabaseAsync"),
            reads=(*_REDIS_KINDS, "KeyExists", "KeyTimeToLive"),
            writes=(
                *(f"{kind}{change}" for kind in _REDIS_KINDS for change in (*_REDIS_WRITES, "Set", "Trim")),
                *(
                    "KeyCopy",
                    "KeyDelete",
                    "KeyExpire",
                    "KeyMove",
                    "KeyPersist",
                    "KeyRename",
                    "KeyRestore",
                    "SortAndStore",
                ),
            ),
        ),
        *_of_client(
            (
                "Microsoft.Extensions.Caching.Distributed.IDistributedCache",
                "Microsoft.Extensions.Caching.Distributed.DistributedCacheExtensions",
            ),
            reads=("Get",),
            writes=("Set", "Remove", "Refresh"),
        ),
        *_of_client(
            ("MongoDB.Driver.IMongoCollection`1", "MongoDB.Driver.IMongoCollectionExtensions"),
            reads=("Aggregate", "AsQueryable", "Count", "Distinct", "EstimatedDocumentCount", "Find"),
            writes=(
                *("BulkWrite", "Delete", "FindOneAndDelete", "FindOneAndReplace", "FindOneAndUpdate", "Insert"),
                *("Replace", "Update"),
            ),
        ),
        *_of_client(
            ("Azure.Storage.Blobs.BlobClient", "Azure.Storage.Blobs.Specialized.BlobBaseClient"),
            reads=("Download", "Exists", "OpenRead"),
            writes=("Upload", "Delete", "OpenWrite", "SetMetadata"),
        ),
    ),
)
