// Package bench measures this library beside others, all in one run: figures
// are ratios, which a busy machine changes less than times.
package bench
