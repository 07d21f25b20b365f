// Package seal turns bytes that a server has to remember into tokens that a
// client may keep for it, and back, without trusting the client. In parley it
// carries the requestState of a multi round-trip request (MCP 2026-07-28,
// basic/patterns/mrtr); nothing in it is particular to MCP, it imports the
// standard library only, and any server may use it.
//
// What lives here: keys and how they come in ([HexKey], [Base64Key],
// [RawKey], [EphemeralKey]), the ring that says which of them seals and which
// open ([Ring]), and the sealing of one payload for one purpose ([Codec]).
// A token says who it is for ([Binding]), until when it holds and to which
// flow it belongs ([Claims]).
//
// What does not: what the payload means, how many rounds a flow may have,
// whether a token was used before, and what a client is told. Those are the
// caller's; see package replay for single use.
//
// # Format
//
//	e1 = kid[8] nonce[24] AEAD(envelope) tag[16]     additional data PAE(NS, "e1", kid)
//	s1 = kid[8] envelope mac[32]                     MAC over PAE(NS, "s1", kid || envelope)
//
//	envelope = version u8 (1), flags u8 (0), issued i64, expires i64, flow until i64,
//	           flow id[16], token id[16], round u16, request digest[32],
//	           principal tag[16], payload
//
// A token is "e1." or "s1." and then one segment of base64url without
// padding. Numbers are big endian, times are milliseconds since 1970. PAE is a
// 32 bit count of parts and then, for each part, its 32 bit length and its
// bytes. NS is
//
//	parley/request-state/v1
//
// s1 is signed with HMAC-SHA256: the client can read the payload, but not
// change it. e1 is encrypted with XAES-256-GCM (https://c2sp.org/XAES-256-GCM).
// No key is used for anything directly. For each purpose and audience
//
//	subkey = HKDF-SHA256(root, no salt, PAE(NS, label, purpose, audience)), 32 bytes
//
// with the labels enc, mac and bind, and kid of which the first eight bytes
// name the key in the token. The principal tag is the first 16 bytes of an
// HMAC-SHA256 under bind, over PAE("principal", parts...), or over
// PAE("anonymous") where there is none.
//
// The same bytes have one spelling: whatever is not exactly what [Codec.Seal]
// wrote is refused.
package seal
