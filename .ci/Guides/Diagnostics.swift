nonisolated(unsafe) let (model, form) = (KVObject(), KVObject())
nonisolated(unsafe) let binding = KVDiagnostics.bindings[0]

//@ skip let logger = Logger(
// swift-log; Examples/Sources/KVLoggers is compiled.
//@ skip let logger = os.Logger(
// Apple's platforms only.
