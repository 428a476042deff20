#include <malloc.h>

/// How much memory is allocated, in bytes; the Glibc module of Swift does not have it.
long KVFuzzingBytesInUse(void) { return (long)mallinfo2().uordblks; }
