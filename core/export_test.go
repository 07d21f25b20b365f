package core

// CanonicalArguments is for the fuzz test of the argument digest.
var CanonicalArguments = canonicalArguments
