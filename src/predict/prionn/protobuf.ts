/** Writes the wire format of Protocol Buffers: varints, and what says how long it is. */
export class ProtobufWriter {
  private readonly parts: Uint8Array[] = [];

  /** A whole number from 0 below 2^53, or an enum. */
  integer(field: number, value: number): this {
    this.parts.push(varint(field * 8), varint(value));
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.written());
  }

  bytes(field: number, value: Uint8Array): this {
    this.parts.push(varint(field * 8 + 2), varint(value.length), value);
    return this;
  }

  written(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.parts));
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Uint8Array.from([...bytes, left]);
}
