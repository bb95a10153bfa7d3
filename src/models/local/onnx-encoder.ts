/**
 * Who multiplies the matrices? `onnxruntime-node`, an optional dependency that only this file knows; what the rest of
 * the folder sees is a function from token ids to hidden states, so a test can stand in for it.
 */
import { MemoryError } from "../../base/errors.ts";

export interface Encoder {
  /** The last layer's state at the first token, [CLS]: what bge models were trained to put a text's meaning in. */
  firstState(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface EncoderOptions {
  readonly threads: number;
}

export type OpenEncoder = (modelPath: string, options: EncoderOptions) => Promise<Encoder>;

/** Fails with `missing_dependency` where the runtime is not installed or has no binary for this machine. */
export async function loadOnnxRuntime(): Promise<OpenEncoder> {
  const { InferenceSession, Tensor } = await importRuntime();
  return async (modelPath, { threads }) => {
    const session = await InferenceSession.create(modelPath, {
      executionProviders: ["cpu"],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Errors only: what it has to say about the machine is not for the caller's terminal.
      logSeverityLevel: 3,
    });
    return {
      async firstState(ids) {
        const shape = [1, ids.length];
        const filled = (value: bigint) =>
          new Tensor("int64", new BigInt64Array(ids.length).fill(value), shape);
        const { last_hidden_state: states } = await session.run({
          input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
          attention_mask: filled(1n),
          token_type_ids: filled(0n),
        });
        if (!(states?.data instanceof Float32Array)) throw unexpectedOutput(modelPath);
        return states.data.slice(0, states.dims[2]);
      },
      close: () => session.release(),
    };
  };
}

async function importRuntime(): Promise<typeof import("onnxruntime-node")> {
  // Read by the native library when it is loaded: without it, it reports to its makers and leaves a log file behind.
  process.env.ORT_DISABLE_TELEMETRY = "1";
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    throw new MemoryError(
      "missing_dependency",
      'The package "onnxruntime-node" is not installed or has no binary for this machine. Valid: "npm install onnxruntime-node", or the static embedder, which needs nothing.',
      { cause },
    );
  }
}

function unexpectedOutput(modelPath: string): MemoryError {
  return new MemoryError(
    "model_unavailable",
    `The model ${modelPath} gives no float32 "last_hidden_state". Valid: a BERT encoder exported to ONNX.`,
  );
}
