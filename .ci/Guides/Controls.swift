nonisolated(unsafe) let (slider, model) = (Slider(), Model())
@KVModel final class Model: KVObject { var red = 0.0 }
