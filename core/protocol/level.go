package protocol

// LogLevels are the levels of notifications/message, rising (RFC 5424).
var LogLevels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
