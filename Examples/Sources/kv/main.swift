import KVTool

KVCommand.runAndExit()
