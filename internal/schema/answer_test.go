package schema_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/schema"
)

// M5 and M6: an answer is read as a whole or is one violation.
func TestFormDecode(t *testing.T) {
	form := mustForm(t, in[booking]())
	for name, tc := range map[string]struct {
		content string
		want    booking
		problem string
	}{
		"least":                    {content: `{"name":"Bo","guests":1,"size":"s"}`, want: booking{Name: "Bo", Guests: 1, Size: "s"}},
		"defaults are not filled":  {content: `{"name":"Bo","size":"s"}`, problem: "guests is required"},
		"absent":                   {content: ``, problem: "name is required"},
		"null":                     {content: ` null `, problem: "name is required"},
		"null for optional":        {content: `{"name":"Bo","guests":1,"size":"s","mail":null,"tip":null,"extras":null,"at":null}`, want: booking{Name: "Bo", Guests: 1, Size: "s"}},
		"null for required":        {content: `{"name":null,"guests":1,"size":"s"}`, problem: "name is required"},
		"unknown members":          {content: `{"name":"Bo","guests":1,"size":"s","Name":"Eve","x":{"y":[]}}`, want: booking{Name: "Bo", Guests: 1, Size: "s"}},
		"other case":               {content: `{"Name":"Bo","guests":1,"size":"s"}`, problem: "name is required"},
		"integer":                  {content: `{"name":"Bo","guests":3.0,"size":"s","cents":1e2}`, want: booking{Name: "Bo", Guests: 3, Size: "s", Cents: 100}},
		"exact":                    {content: `{"name":"Bo","guests":1,"size":"s","cents":9007199254740993}`, want: booking{Name: "Bo", Guests: 1, Size: "s", Cents: 9007199254740993}},
		"fraction":                 {content: `{"name":"Bo","guests":1.5,"size":"s"}`, problem: "guests must be an integer"},
		"M6: number as text":       {content: `{"name":"Bo","guests":"1","size":"s"}`, problem: "guests must be an integer"},
		"M6: boolean as text":      {content: `{"name":"Bo","guests":1,"size":"s","smoker":"true"}`, problem: "smoker must be true or false"},
		"M6: nested":               {content: `{"name":{"a":1},"guests":1,"size":"s"}`, problem: "name must be a string"},
		"range":                    {content: `{"name":"Bo","guests":128,"size":"s"}`, problem: "guests must be at most 127"},
		"below":                    {content: `{"name":"Bo","guests":0,"size":"s"}`, problem: "guests must be at least 1"},
		"range, 64 bits":           {content: `{"name":"Bo","guests":1,"size":"s","cents":9223372036854775808}`, problem: "cents must be at most 9223372036854775807"},
		"negative":                 {content: `{"name":"Bo","guests":1,"size":"s","count":-1}`, problem: "count must be at least 0"},
		"float":                    {content: `{"name":"Bo","guests":1,"size":"s","tip":0.5000001}`, problem: "tip must be at most 0.5"},
		"code points":              {content: `{"name":"éééééééé","guests":1,"size":"s"}`, want: booking{Name: "éééééééé", Guests: 1, Size: "s"}},
		"too long":                 {content: `{"name":"ééééééééé","guests":1,"size":"s"}`, problem: "name must be at most 8 characters long"},
		"too short":                {content: `{"name":"\u00e9","guests":1,"size":"s"}`, problem: "name must be at least 2 characters long"},
		"email":                    {content: `{"name":"Bo","guests":1,"size":"s","mail":"Bo <bo@b.example>"}`, problem: "mail must be one e-mail address"},
		"uri":                      {content: `{"name":"Bo","guests":1,"size":"s","site":"b.example"}`, problem: "site must be an absolute URI"},
		"date":                     {content: `{"name":"Bo","guests":1,"size":"s","day":"2023-02-29"}`, problem: "day must be a date such as 2026-07-28"},
		"time":                     {content: `{"name":"Bo","guests":1,"size":"s","at":"2024-02-29"}`, problem: "at must be a date and time with time zone, such as 2026-07-28T12:00:00Z"},
		"choice":                   {content: `{"name":"Bo","guests":1,"size":"xl"}`, problem: "size must be one of: s, m"},
		"title for value":          {content: `{"name":"Bo","guests":1,"size":"s","titled":"Small"}`, problem: "titled must be one of: s, m"},
		"one choice for many":      {content: `{"name":"Bo","guests":1,"size":"s","extras":"wifi"}`, problem: "extras must be a list"},
		"many for one":             {content: `{"name":"Bo","guests":1,"size":["s"]}`, problem: "size must be a string"},
		"not of the list":          {content: `{"name":"Bo","guests":1,"size":"s","extras":["wifi","bar"]}`, problem: "extras[1] must be one of: wifi, pool"},
		"too few":                  {content: `{"name":"Bo","guests":1,"size":"s","extras":[]}`, problem: "extras must have at least 1 item"},
		"too many":                 {content: `{"name":"Bo","guests":1,"size":"s","extras":["wifi","pool","wifi"]}`, problem: "extras must have at most 2 items"},
		"null in a list":           {content: `{"name":"Bo","guests":1,"size":"s","extras":[null]}`, problem: "extras[0] must be a string"},
		"a list":                   {content: `[]`, problem: "the value must be an object"},
		"a text":                   {content: `"x"`, problem: "the value must be an object"},
		"the whole":                {content: fullContent, want: fullBooking()},
		"optional without content": {content: `{"name":"Bo","guests":1,"size":"s","site":""}`, problem: "site must be an absolute URI"},
	} {
		t.Run(name, func(t *testing.T) {
			var got booking
			v := form.Decode([]byte(tc.content), &got)
			if tc.problem != "" {
				if v == nil || v.Error() != "parley: "+tc.problem || !reflect.DeepEqual(got, booking{}) {
					t.Fatalf("got %v and %+v, want %s", v, got, tc.problem)
				}
				return
			}
			if v != nil || !reflect.DeepEqual(got, tc.want) {
				t.Fatalf("got %+v, %v, want %+v", got, v, tc.want)
			}
		})
	}
}

const fullContent = `{"name":"Bo","mail":"bo@b.example","site":"https://b.example/","day":"2024-02-29","guests":2,"cents":5,"tip":0.25,` +
	`"smoker":false,"at":"2024-02-29T12:00:00Z","size":"m","titled":"s","extras":["pool","wifi"],"meals":["b","b"],"count":65535}`

func fullBooking() booking {
	return booking{
		Name: "Bo", Mail: new("bo@b.example"), Site: "https://b.example/", Day: "2024-02-29", Guests: 2, Cents: 5, Tip: 0.25,
		Smoker: new(false), At: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), Size: "m", Titled: new("s"),
		Extras: []string{"pool", "wifi"}, Meals: []size{"b", "b"}, Count: 65535,
	}
}

func TestFormEncode(t *testing.T) {
	form := mustForm(t, in[booking]())
	full := fullBooking()
	for name, tc := range map[string]struct {
		v    any
		want string
	}{
		"whole":   {full, fullContent},
		"pointer": {&full, fullContent},
		"absent":  {booking{Name: "Bo", Guests: 1, Size: "s"}, `{"name":"Bo","guests":1,"size":"s"}`},
	} {
		content, err := form.Encode(tc.v)
		if err != nil || string(content) != tc.want {
			t.Errorf("%s: got %s, %v, want %s", name, content, err, tc.want)
		}
	}
	for name, v := range map[string]any{
		"breaks a rule": booking{Name: "B", Guests: 1, Size: "s"},
		"no choice":     booking{Name: "Bo", Guests: 1},
		"nil":           nil,
		"nil pointer":   (*booking)(nil),
		"other type":    base{},
		"no UTF-8":      booking{Name: "B\xff", Guests: 1, Size: "\xff"},
	} {
		if content, err := form.Encode(v); err == nil {
			t.Errorf("%s: encoded as %s", name, content)
		}
	}
	empty, err := mustForm(t, in[struct{}]()).Encode(struct{}{})
	if err != nil || string(empty) != "{}" {
		t.Errorf("empty: %s, %v", empty, err)
	}
}

// The answer to a required list that is empty is a list, not null.
func TestEncodeWritesEmptyLists(t *testing.T) {
	form, err := schema.NewForm(in[struct {
		L []string `json:"l" enum:"a"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	content, err := form.Encode(struct {
		L []string `json:"l" enum:"a"`
	}{})
	if err != nil || string(content) != `{"l":[]}` {
		t.Fatalf("got %s, %v", content, err)
	}
}
