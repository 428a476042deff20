import KVBinding

/// A view that shows how much is done.
@KVModel final class ProgressView: KVNode {
  var fraction = 0.0 { didSet { isChanged = true } }
  var text = "" { didSet { isChanged = true } }
  @KVIgnored var isChanged = false
}
