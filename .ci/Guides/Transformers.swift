import KVBinding
import KVDefinitions
