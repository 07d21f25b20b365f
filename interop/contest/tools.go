package contest

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// EchoIn is the input of the small call.
type EchoIn struct {
	Text string `json:"text"`
}

// SearchIn has ten fields with bounds, an enum and a nested struct. The two
// spellings of the same rules are those of this library and of jsonschema tags.
type SearchIn struct {
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

const tenArguments = `{"query":"red running shoes","region":"eu","page":2,"perPage":50,"minPrice":19.99,"exact":false,` +
	`"tags":["sale","new","men"],"since":"2026-07-28","code":"DE4711","where":{"lat":48.137154,"lon":11.576124}}`

// Searched is the tool of the call with ten fields.
func Searched(in SearchIn) string { return in.Query + " in " + in.Region }

// CityIn is the input of the call with a structured result.
type CityIn struct {
	City string `json:"city"`
}

// Weather is a structured result.
type Weather struct {
	City        string   `json:"city"`
	Temperature float64  `json:"temperature"`
	Humidity    int      `json:"humidity"`
	Conditions  string   `json:"conditions"`
	Warnings    []string `json:"warnings"`
}

// WeatherIn is the tool with a structured result.
func WeatherIn(in CityIn) Weather {
	return Weather{City: in.City, Temperature: 21.5, Humidity: 60, Conditions: "partly cloudy", Warnings: []string{"wind"}}
}

// What is in the large calls.
type (
	// TextIn is a large text.
	TextIn struct {
		Value string `json:"value"`
	}
	// TreeIn is a large tree.
	TreeIn struct {
		Value any `json:"value"`
	}
	rawIn struct {
		Value json.RawMessage `json:"value"`
	}
)

// TextSize is the tool of the large texts.
func TextSize(in TextIn) string { return strconv.Itoa(len(in.Value)) }
func rawSize(in rawIn) string   { return strconv.Itoa(len(in.Value)) }

// TreeSize is the tool of the large trees.
func TreeSize(in TreeIn) string {
	list, _ := in.Value.([]any)
	return strconv.Itoa(len(list))
}

// Fill names the tools that are only there.
func Fill(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("tool_%05d", i)
	}
	return names
}

// FillText describes them.
const FillText = "Does something useful with a text, and says what came of it."
