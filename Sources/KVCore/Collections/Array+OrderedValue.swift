extension Array: OrderedValue {}
extension ContiguousArray: OrderedValue {}
extension ArraySlice: OrderedValue {}
