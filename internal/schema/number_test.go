package schema_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/parleymcp/parley/internal/schema"
)

func bounded(t *testing.T, field reflect.Type, tag string) *schema.Schema {
	t.Helper()
	return mustInput(t, reflect.StructOf([]reflect.StructField{{Name: "A", Type: field, Tag: reflect.StructTag(tag)}}))
}

// randomNumber spells a number in one of the many ways that JSON has.
func randomNumber(r *rand.Rand) string {
	s := []string{"", "-"}[r.IntN(2)]
	s += []string{"0", "1", "9", "10", "12", "99", "100", "123456789012345678901"}[r.IntN(8)]
	s += []string{"", "", ".0", ".5", ".50", ".05", ".000", ".99999999999999999999", ".00000000000000000001"}[r.IntN(9)]
	s += []string{"", "", "", "e0", "e1", "E+2", "e-1", "e-2", "E-21", "e20", "e00"}[r.IntN(11)]
	return s
}

// T5: bounds compare exactly, as rational numbers do.
func TestBoundsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rat := func(s string) *big.Rat {
		v, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatal(s)
		}
		return v
	}
	for range 300 {
		bound := randomNumber(r)
		least := bounded(t, in[float64](), `minimum:"`+bound+`"`)
		most := bounded(t, in[float64](), `maximum:"`+bound+`"`)
		for range 30 {
			value := randomNumber(r)
			if r.IntN(10) == 0 {
				value = bound
			}
			c := rat(value).Cmp(rat(bound))
			object := []byte(`{"A":` + value + `}`)
			if (least.Check(object) == nil) != (c >= 0) || (most.Check(object) == nil) != (c <= 0) {
				t.Fatalf("%s against %s: compares as %d, minimum %v, maximum %v", value, bound, c, least.Check(object), most.Check(object))
			}
		}
	}
}

func TestIntegersOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, field := range []reflect.Type{
		in[int8](), in[int16](), in[int32](), in[int64](), in[int](), in[uint8](), in[uint16](), in[uint32](), in[uint64](), in[uint](),
	} {
		s := bounded(t, field, "")
		lo, hi := new(big.Int), new(big.Int)
		bits := field.Bits()
		if field.Kind() >= reflect.Uint {
			hi.Sub(hi.Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))
		} else {
			hi.Sub(hi.Lsh(big.NewInt(1), uint(bits-1)), big.NewInt(1))
			lo.Sub(new(big.Int).Neg(hi), big.NewInt(1))
		}
		check := func(value string) {
			t.Helper()
			rat, ok := new(big.Rat).SetString(value)
			if !ok {
				t.Fatal(value)
			}
			want := rat.IsInt() && rat.Num().Cmp(lo) >= 0 && rat.Num().Cmp(hi) <= 0
			object := []byte(`{"A":` + value + `}`)
			dst := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: field}}))
			v := s.Decode(object, dst.Interface())
			if (v == nil) != want || (s.Check(object) == nil) != want {
				t.Fatalf("%s as %s: %v, want %v", value, field, v, want)
			}
			if got := fmt.Sprint(dst.Elem().Field(0)); want && got != rat.Num().String() {
				t.Fatalf("%s as %s became %s", value, field, got)
			}
		}
		for _, edge := range []*big.Int{lo, hi} {
			for d := int64(-2); d <= 2; d++ {
				n := new(big.Int).Add(edge, big.NewInt(d)).String()
				check(n)
				check(n + ".0")
				check(n + "00e-2")
				check(n + ".5")
			}
		}
		for range 2000 {
			check(randomNumber(r))
		}
	}
}

// What rounds to infinity does not fit, to the last digit.
func TestFloatsOfEitherSize(t *testing.T) {
	for field, bits := range map[reflect.Type]int{in[float32](): 32, in[float64](): 64} {
		s := bounded(t, field, "")
		check := func(value string) {
			t.Helper()
			_, err := strconv.ParseFloat(value, bits)
			object := []byte(`{"A":` + value + `}`)
			v := s.Decode(object, reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: field}})).Interface())
			if c := s.Check(object); (v == nil) != (err == nil) || (c == nil) != (err == nil) {
				t.Errorf("%s as %s: Check %v, Decode %v, strconv says %v", value, field, c, v, err)
			}
		}
		limit, ulp := uint(1024), uint(970)
		if bits == 32 {
			limit, ulp = 128, 103
		}
		edge := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), limit), new(big.Int).Lsh(big.NewInt(1), ulp))
		for d := int64(-1); d <= 1; d++ {
			n := new(big.Int).Add(edge, big.NewInt(d)).String()
			check(n)
			check("-" + n)
			check(n + ".5")
			check(n + "0e-1")
		}
		for _, value := range []string{
			strconv.FormatFloat(math.MaxFloat64, 'g', -1, 64), strconv.FormatFloat(math.MaxFloat32, 'g', -1, 32),
			"1e308", "1e309", "1E+38", "1E39", "1e-400", "0e999", "0.000e999999999999", "1e999999999999999999999", "1e-999999999999999999999",
		} {
			check(value)
		}
	}
}
