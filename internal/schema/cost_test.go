package schema_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// ten is the typed call of the quality bar: ten fields with bounds, an enum and a
// nested struct.
type ten struct {
	Query    string   `json:"query" minLength:"1" maxLength:"200"`
	Region   string   `json:"region" enum:"eu,us,apac"`
	Page     int      `json:"page" minimum:"1" maximum:"1000"`
	PerPage  int32    `json:"perPage,omitempty" minimum:"1" maximum:"100"`
	MinPrice float64  `json:"minPrice" minimum:"0" maximum:"100000.5"`
	Exact    bool     `json:"exact"`
	Tags     []string `json:"tags" maxItems:"10"`
	Since    string   `json:"since,omitempty" format:"date"`
	Code     string   `json:"code" pattern:"^[A-Z]{2}[0-9]+$"`
	Where    struct {
		Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
		Lon float64 `json:"lon" minimum:"-180" maximum:"180"`
	} `json:"where"`
}

var tenValue = []byte(`{"query":"red running shoes","region":"eu","page":2,"perPage":50,"minPrice":19.99,"exact":false,` +
	`"tags":["sale","new","men"],"since":"2026-07-28","code":"DE4711","where":{"lat":48.137154,"lon":11.576124}}`)

// BenchmarkCheck measures the plan, and BenchmarkMapAndLibrary what it replaces.
func BenchmarkCheck(b *testing.B) {
	s := mustInput(b, in[ten]())
	b.ReportAllocs()
	for b.Loop() {
		if s.Check(tenValue) != nil {
			b.Fatal("refused")
		}
	}
}

func BenchmarkMapAndLibrary(b *testing.B) {
	o := newOracle(b, mustInput(b, in[ten]()).JSON())
	b.ReportAllocs()
	for b.Loop() {
		if mapAndLibrary(o) != nil {
			b.Fatal("refused")
		}
	}
}

func mapAndLibrary(o oracle) error {
	var v map[string]any
	if err := json.Unmarshal(tenValue, &v); err != nil {
		return err
	}
	return o.resolved.Validate(v)
}

// BenchmarkCheckRatio interleaves the two, so that a busy machine slows down
// both, and reports their ratio; the bar is 0.1.
func BenchmarkCheckRatio(b *testing.B) {
	s := mustInput(b, in[ten]())
	o := newOracle(b, s.JSON())
	var plan, library time.Duration
	for b.Loop() {
		start := time.Now()
		for range 100 {
			_ = s.Check(tenValue)
		}
		half := time.Now()
		for range 100 {
			_ = mapAndLibrary(o)
		}
		plan, library = plan+half.Sub(start), library+time.Since(half)
	}
	b.ReportMetric(float64(plan)/float64(library), "plan/library")
}

// BenchmarkDecode is the check with decoding, against decoding alone.
func BenchmarkDecode(b *testing.B) {
	s := mustInput(b, in[ten]())
	b.Run("checked", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = s.Decode(tenValue, new(ten))
		}
	})
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = jsonx.UnmarshalUser(tenValue, new(ten))
		}
	})
}

func BenchmarkWithChoices(b *testing.B) {
	form := mustForm(b, in[plainDynamic]())
	choices := []schema.Choice{{"s", "Small"}, {"m", "Medium"}, {"l", "Large"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := form.WithChoices("size", choices); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGivenCheck(b *testing.B) {
	s, err := schema.ParseInput(mustInput(b, in[ten]()).JSON())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Check(tenValue)
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop what it holds")
	}
	long := append([]byte(`{"code":"`), make([]byte, 100)...)
	for i := range 100 {
		long[9+i] = 'a'
	}
	long = append(long, `\u0061","items":[]}`...)
	for name, tc := range map[string]struct {
		s     *schema.Schema
		value []byte
	}{
		"ten fields": {mustInput(t, in[ten]()), tenValue},
		"escapes":    {mustInput(t, in[order]()), []byte(`{"\u0069tems":[{"sku":"\u0061b","count":1.0}],"size":"\u00e9\"l","code":"\u0061","x\n":"\""}`)},
		"long":       {mustInput(t, in[order]()), long},
		"formats": {
			mustInput(t, in[formatted]()),
			[]byte(`{"date":"2024-02-29","time":"2024-02-29T12:00:00+01:00","at":"2024-02-29T12:00:00.5-07:00","blob":"AAE="}`),
		},
		"numbers": {mustInput(t, in[exotic]()), []byte(`{"id":1e2,"i":9223372036854775807,"u":1844674407370955161.5e1,"f":1e38,"q":9007199254740992.0,"a":[1e300,{"b":[-1.5E-7]}]}`)},
	} {
		if v := tc.s.Check(tc.value); v != nil {
			t.Errorf("%s: %v", name, v)
		}
		if n := testing.AllocsPerRun(100, func() { _ = tc.s.Check(tc.value) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// The ratio of the bar, with room for a machine that does other things: the
// benchmark has the figure.
func TestCheckIsMuchCheaperThanTheLibrary(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector slows the two down differently")
	}
	s := mustInput(t, in[ten]())
	o := newOracle(t, s.JSON())
	best := 1.0
	for range 20 {
		start := time.Now()
		for range 50 {
			_ = s.Check(tenValue)
		}
		half := time.Now()
		for range 50 {
			_ = mapAndLibrary(o)
		}
		best = min(best, float64(half.Sub(start))/float64(time.Since(half)))
	}
	if best > 0.1 {
		t.Errorf("the check costs %.3f of decoding into a map and validating, more than 0.1", best)
	}
}
