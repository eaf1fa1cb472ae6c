/**
 * Codes of resources: the id and 128 bits that only this installation can make, so that knowing one is the right to read the
 * resource. Nothing is stored; a code leads nowhere once its resource is deleted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const macBytes = 16;

export class ResourceCodes {
  /** @param key HMAC key, the same on every daemon */
  constructor(private readonly key: Uint8Array) {}

  codeOf(resourceId: string): string {
    const id = Buffer.from(resourceId.replaceAll('-', ''), 'hex');
    return Buffer.concat([id, this.mac(id)]).toString('base64url');
  }

  /** The resource's id; null: this installation made no such code. */
  idOf(code: string): string | null {
    const bytes = Buffer.from(code, 'base64url');
    const id = bytes.subarray(0, idBytes);
    const isOurs = bytes.length === idBytes + macBytes && timingSafeEqual(bytes.subarray(idBytes), this.mac(id));
    return isOurs ? id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;
  }

  private mac(id: Uint8Array): Buffer {
    return createHmac('sha256', this.key).update(id).digest().subarray(0, macBytes);
  }
}
