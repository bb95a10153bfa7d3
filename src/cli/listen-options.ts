/** Where does it listen, who may call, and how long may it take to end? The options of every command that serves. */
import type { Option } from "./command.ts";
import { KEYS_OPTION } from "./key-options.ts";

export function listenOptions(port: string): Readonly<Record<"host" | "port" | "keys" | "grace", Option>> {
  return {
    host: {
      value: "ADDRESS",
      default: "127.0.0.1",
      summary: { en: "the address it listens on; 0.0.0.0: all", zh: "监听地址；0.0.0.0 表示全部" },
    },
    port: {
      value: "N",
      default: port,
      summary: { en: "the port; 0: any that is free", zh: "端口；0 表示任意空闲端口" },
    },
    keys: KEYS_OPTION,
    grace: {
      value: "SECONDS",
      default: "10",
      summary: { en: "how long it may take to end", zh: "结束时最多等待多久" },
    },
  };
}
