/** A pattern as it is read from its beginning to its end. */
export class PatternText {
  readonly source: string;
  /** The current offset. */
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isOver(): boolean {
    return this.at >= this.source.length;
  }

  get rest(): string {
    return this.source.slice(this.at);
  }

  /** Reads the sign if it stands here, and returns whether it did. */
  take(sign: string): boolean {
    const taken = this.source.startsWith(sign, this.at);
    if (taken) this.at += sign.length;
    return taken;
  }

  /** Reads what an expression that begins with `^` matches here. */
  match(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.rest);
    if (found) this.at += found[0].length;
    return found;
  }
}
