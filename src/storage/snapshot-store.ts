/** Files beside the truth that only save time. A lost, torn or stale one is never an error: the index is rebuilt. */

export interface SnapshotStore {
  read(name: string): Promise<Uint8Array | undefined>;
  /** All or nothing: a reader sees the old bytes or the new ones. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
}
