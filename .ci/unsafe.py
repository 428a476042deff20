"""Fails if a file outside of the folders Unsafe/ has unsafe constructs and is not listed, or is listed and has none.

LISTED has the files of today. It may only become shorter, and the numbers in MAXIMA smaller. Comments do not count.
"""
import pathlib
import re
import sys

from swift import code

CONSTRUCT = re.compile(
    r"\b(?:Unsafe\w*Pointer|Unmanaged|unsafeBitCast|unsafeDowncast|assumingMemoryBound|withUnsafe\w*)\b")
MAXIMA = {"nonisolated(unsafe)": 0, "@exclusivity(unchecked)": 8}
LISTED = {  # folder: files
    "KVBinding/Bindings": "BindingCore+Changes BindingCore+Run BindingCore+Transfer Propagation",
    "KVBinding/Coalescing": "CoalescingScope",
    "KVBinding/Delivery":
        "ObserverRegistrar+Entries ObserverRegistrar PendingChange Site",
    "KVBinding/Ports/Foundation": "KVObserver+Notifications",
    "KVCore/Access":
        "CursorFrames KVKeyPath.Hop+Accessor KeyValueCoding+Reading KeyValueCoding+Writing NewValue ObjectAccess "
        "ObjectCursor PathCursor Reader TypedTransfer Unread",
    "KVCore/Accessors": "Accessor Boxer IsolationCheck KVKey OptionalValue TypeInfo TypeTraits ValueType",
    "KVCore/Coercion": "Unboxing",
    "KVCore/Collections": "OrderedValue+Reading OrderedValue",
    "KVCore/KeyPaths": "KVKeyPath.Storage KeyPathCache",
    "KVCore/Objects": "KVObject",
    "KVCore/Observing":
        "Accessor+Notifying ChangeInPlace _KVChangeNotice KVObservable KVProperty KVRegistrarSlot PropertyKeys "
        "PropertyLocation RetainedValue StructTail",
    "KVCore/Support": "Threads",
    "KVCore/Tables": "KVKeyHandle+ToMany KVObjectKeys KVTable",
}

texts = {path: code(path.read_text()) for path in sorted(pathlib.Path("Sources").rglob("*.swift"))}
listed = {f"Sources/{folder}/{name}.swift" for folder, names in LISTED.items() for name in names.split()}
unsafe = {path.as_posix(): match[0] for path, text in texts.items()
          if "Unsafe" not in path.parts and (match := CONSTRUCT.search(text))}
wrong = [f"{path} has {unsafe[path]}: it belongs in a folder Unsafe/" for path in sorted(unsafe.keys() - listed)]
wrong += [f"{path} has no unsafe construct: remove it from .ci/unsafe.py" for path in sorted(listed - unsafe.keys())]
print(f"{len(unsafe)} of {len(texts)} files have unsafe constructs outside of Unsafe/")
for attribute, maximum in MAXIMA.items():
    number = sum(text.count(attribute) for text in texts.values())
    print(f"{attribute}: {number}, at most {maximum}")
    if number > maximum:
        wrong.append(f"{attribute} occurs {number} times; at most {maximum} are allowed")
if wrong:
    sys.exit("\n".join(wrong))
