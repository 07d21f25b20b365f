package core

import "log/slog"

// Confirm asks for a yes: nil means the user gave it, to this very message. Any
// other end — declined, cancelled, not asked yet, a client that cannot be
// asked — is an error to return, and keeps [Commit] from doing anything for the
// rest of the run, also if the error is dropped.
func Confirm(ev *Event, key, message string) error {
	ask := confirmation(key, message)
	ev.mu.Lock()
	defer ev.mu.Unlock()
	err := ev.require(&ask.spec.question)
	if err == nil {
		_, err = ev.settledContent(&ask.spec.question)
	}
	if err != nil && ev.flow != nil && ev.flow.refusal == nil {
		ev.flow.refusal = err
		ev.log(slog.LevelDebug, "not confirmed",
			slog.String("feature", ev.name), slog.String("key", key))
	}
	return err
}

// confirmation is an empty form: to accept it is to say yes, and there is no
// boolean that could be accepted as false.
func confirmation(key, message string) Ask[struct{}] { return Form[struct{}](key, message) }
