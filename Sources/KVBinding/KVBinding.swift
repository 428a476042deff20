@_exported import KVCore
import KVFoundation

/// A type whose use links this file, and the conformances of Foundation's types (KVFoundation.swift).
package protocol LinkedWithBinding: LinkedWithFoundation {}

extension WriteGroup: JointWriteBoundaries {}
