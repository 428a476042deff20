#include "KVRuntime.h"

// WebAssembly and the platforms of Apple and Microsoft do not use it (Sources/KVCore/Support/Unsafe/Threads.swift).
#if defined(__linux__)
static _Thread_local void *threadObject;

void *kv_threadObject(void) { return threadObject; }
void kv_setThreadObject(void *object) { threadObject = object; }
#endif
