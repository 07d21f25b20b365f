package envelope

import "github.com/parleymcp/parley/core/protocol"

// MaxBatch is how many elements a batch may have.
const MaxBatch = 32

// Element is one message of a batch, with what [Parse] said about it.
type Element struct {
	Message

	// Err refuses this element alone; nil for a good one.
	Err error
}

// Elements parses the elements of a [Batch] (MCP 2025-03-26, basic). An
// [*Error] refuses the batch as a whole: an initialize inside, requests or
// notifications beside responses, or a request of a revision that has no
// batches.
func (m *Message) Elements() ([]Element, error) {
	elements := make([]Element, len(m.Batch))
	calls, answers := 0, 0
	for i, raw := range m.Batch {
		e := &elements[i]
		if e.Err = e.Parse(raw); e.Kind == Batch {
			e.Message, e.Err = Message{}, errNotObject
		}
		switch e.Kind {
		case Request, Notification:
			calls++
		case Response:
			answers++
		}
		switch version, _ := Text(e.Params.Meta.Get(MetaProtocolVersion)); {
		case e.Method == protocol.MethodInitialize:
			return nil, errBatchInit
		case e.Params.Meta.Get(MetaProtocolVersion) != nil && Modern(version):
			return nil, errBatchMeta
		case calls > 0 && answers > 0:
			return nil, errBatchMixed
		}
	}
	return elements, nil
}
