/** What can be typed? One line each; a new command is one file and one line here. */
import type { Command } from "../command.ts";
import { askCommand } from "./ask.ts";
import { benchAblate } from "./bench-ablate.ts";
import { benchDiff } from "./bench-diff.ts";
import { benchJudge } from "./bench-judge.ts";
import { benchReport } from "./bench-report.ts";
import { benchRun } from "./bench-run.ts";
import { benchTune } from "./bench-tune.ts";
import { callCommand } from "./call.ts";
import { chatCommand } from "./chat.ts";
import { completionFor } from "./completion.ts";
import { consolidateCommand } from "./consolidate.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { estimateCommand } from "./estimate.ts";
import { exportCommand } from "./export.ts";
import { feedbackCommand } from "./feedback.ts";
import { flushCommand } from "./flush.ts";
import { forgetCommand } from "./forget.ts";
import { historyCommand } from "./history.ts";
import { importCommand } from "./import.ts";
import { initCommand } from "./init.ts";
import { keyCreate } from "./key-create.ts";
import { keyList } from "./key-list.ts";
import { keyRevoke } from "./key-revoke.ts";
import { listCommand } from "./list.ts";
import { mcpCommand } from "./mcp.ts";
import { presetCheck } from "./preset-check.ts";
import { presetDiff } from "./preset-diff.ts";
import { presetList } from "./preset-list.ts";
import { presetNew } from "./preset-new.ts";
import { presetShow } from "./preset-show.ts";
import { proxyCommand } from "./proxy.ts";
import { rebuildCommand } from "./rebuild.ts";
import { recallCommand } from "./recall.ts";
import { reembedCommand } from "./reembed.ts";
import { rememberCommand } from "./remember.ts";
import { serveCommand } from "./serve.ts";
import { showCommand } from "./show.ts";
import { statusCommand } from "./status.ts";
import { undoCommand } from "./undo.ts";

export const COMMANDS: readonly Command[] = [
  demoCommand,
  initCommand,
  rememberCommand,
  recallCommand,
  askCommand,
  chatCommand,
  importCommand,
  exportCommand,
  estimateCommand,
  listCommand,
  showCommand,
  historyCommand,
  undoCommand,
  forgetCommand,
  feedbackCommand,
  flushCommand,
  consolidateCommand,
  rebuildCommand,
  reembedCommand,
  statusCommand,
  callCommand,
  doctorCommand,
  serveCommand,
  proxyCommand,
  mcpCommand,
  keyCreate,
  keyList,
  keyRevoke,
  presetList,
  presetShow,
  presetDiff,
  presetCheck,
  presetNew,
  benchRun,
  benchJudge,
  benchAblate,
  benchTune,
  benchReport,
  benchDiff,
  completionFor(() => COMMANDS),
];
