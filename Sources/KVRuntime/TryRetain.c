#include "KVRuntime.h"

// The Swift runtime exports this function on all platforms and loads weak references with it. It is called from C,
// since the compiler reserves the names of the runtime in Swift code.
extern void *swift_tryRetain(void *object);

void *kv_tryRetain(void *object) { return swift_tryRetain(object); }
