import KVBinding

/// A view that shows a text.
@KVModel final class TextView: KVNode {
  var text = "" { didSet { isChanged = true } }
  @KVIgnored var isChanged = false
}
