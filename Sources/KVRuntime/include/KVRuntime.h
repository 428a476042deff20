#ifndef KV_RUNTIME_H
#define KV_RUNTIME_H

/// Retains a Swift object unless its deinit has begun; the memory must not have been freed.
///
/// \returns The object, or null.
void *kv_tryRetain(void *object);

/// Returns the object that the current thread has stored, or null.
void *kv_threadObject(void);

/// Stores an object, which is not retained, for the current thread.
void kv_setThreadObject(void *object);

#endif
