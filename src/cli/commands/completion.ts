/** Completion for shells, from the table of commands. */
import type { Command } from "../command.ts";
import { SHELLS } from "../shells.ts";

/** It tells about all commands, itself among them, so it is made with a way to reach the table. */
export function completionFor(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: { en: "completion for bash, zsh or fish", zh: "bash、zsh 或 fish 的命令补全" },
    details: {
      en: `bash: source <(neuromem completion bash)
zsh:  source <(neuromem completion zsh)
fish: neuromem completion fish | source`,
      zh: `写进 shell 的启动文件即可：
bash: source <(neuromem completion bash)
zsh:  source <(neuromem completion zsh)
fish: neuromem completion fish | source`,
    },
    arguments: [{ name: "SHELL", summary: { en: SHELLS.join(", "), zh: SHELLS.join("、") } }],
    options: {},
    run: async (given, terminal) =>
      (await import("../run/completion.ts")).printCompletion(given, terminal, commands()),
  };
}
