import KVBinding

/// A view that shows a colour.
@KVModel final class SquareView: KVNode {
  var backgroundColor = "" { didSet { isChanged = true } }
  @KVIgnored var isChanged = false
}
