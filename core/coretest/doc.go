// Package coretest runs tools, prompts and resources in unit tests: through
// any number of rounds of questions, without HTTP, with the capabilities and
// the caller a test chooses.
//
//	out, err := coretest.Call(t, whoami, core.NoInput{},
//		coretest.Accept(askName, Name{Name: "Ada"}))
//
// What runs is the real thing: schemas, the gate, sealed state with a key of
// its own, the single-use store. A handler's misuse of the library fails the
// test with its text. Answers are given by key, in any order; a question that
// no option answers is an [UnansweredError], an answer that was never asked for
// fails the test if the call succeeded.
//
// [Start] runs one round at a time, to look at what was asked, to fork, to
// replay an old state, or to come back as somebody else.
//
// What does not live here: anything of HTTP. Test a mounted server over a real
// listener.
package coretest
