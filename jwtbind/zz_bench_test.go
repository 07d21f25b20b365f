package jwtbind_test
import ("testing";"time";"net/http";"github.com/parleymcp/parley/jwtbind")
func BenchmarkVerify(b *testing.B) {
	s := hs256(secret)
	h := bearing(s.token(claims(object{"exp": time.Now().Add(time.Hour).Unix(), "email":"ada@bank.example","roles":[]string{"a","b","c"},"pad":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})))
	b.Log(len(h.Get("Authorization")))
	who, _ := jwtbind.Verify(config(s))
	b.ReportAllocs()
	for b.Loop() { if _, err := who(b.Context(), h); err != nil { b.Fatal(err) } }
	_ = http.Header{}
}
