#ifndef KV_RUNTIME_H
#define KV_RUNTIME_H

/// Retains a Swift object unless its deinit has begun; the memory must not have been freed.
///
/// \returns The object, or null.
void *kv_tryRetain(void *object);

#endif
