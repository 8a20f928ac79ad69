// Precompiled.h needs a source that is compiled.
