import type { InjectionPattern } from "./pattern.ts";
import { addressToAi } from "./patterns/address-to-ai.ts";
import { chatTemplateToken } from "./patterns/chat-template-token.ts";
import { demandSecrets } from "./patterns/demand-secrets.ts";
import { exfiltrateSecrets } from "./patterns/exfiltrate-secrets.ts";
import { fakeRole } from "./patterns/fake-role.ts";
import { forgetEverythingAbove } from "./patterns/forget-everything-above.ts";
import { hideFromUser } from "./patterns/hide-from-user.ts";
import { jailbreakName } from "./patterns/jailbreak-name.ts";
import { newInstructions } from "./patterns/new-instructions.ts";
import { noRulesStatement } from "./patterns/no-rules-statement.ts";
import { overrideChinese } from "./patterns/override-chinese.ts";
import { overrideDutch } from "./patterns/override-dutch.ts";
import { overrideFrench } from "./patterns/override-french.ts";
import { overrideGerman } from "./patterns/override-german.ts";
import { overrideGivenInstructions } from "./patterns/override-given-instructions.ts";
import { overrideHindi } from "./patterns/override-hindi.ts";
import { overrideItalian } from "./patterns/override-italian.ts";
import { overrideJapanese } from "./patterns/override-japanese.ts";
import { overrideNamedInstructions } from "./patterns/override-named-instructions.ts";
import { overridePortuguese } from "./patterns/override-portuguese.ts";
import { overridePriorInstructions } from "./patterns/override-prior-instructions.ts";
import { overrideRussian } from "./patterns/override-russian.ts";
import { overrideSpanish } from "./patterns/override-spanish.ts";
import { promptBoundary } from "./patterns/prompt-boundary.ts";
import { repeatTextAbove } from "./patterns/repeat-text-above.ts";
import { revealPrompt } from "./patterns/reveal-prompt.ts";
import { taskHijack } from "./patterns/task-hijack.ts";
import { toolDefinitionOrder } from "./patterns/tool-definition-order.ts";
import { unrestrictedPersona } from "./patterns/unrestricted-persona.ts";

/** All patterns; adding one is adding its file and a line here. */
export const injectionPatterns: readonly InjectionPattern[] = [
  addressToAi,
  chatTemplateToken,
  demandSecrets,
  exfiltrateSecrets,
  fakeRole,
  forgetEverythingAbove,
  hideFromUser,
  jailbreakName,
  newInstructions,
  noRulesStatement,
  overrideChinese,
  overrideDutch,
  overrideFrench,
  overrideGerman,
  overrideGivenInstructions,
  overrideHindi,
  overrideItalian,
  overrideJapanese,
  overrideNamedInstructions,
  overridePortuguese,
  overridePriorInstructions,
  overrideRussian,
  overrideSpanish,
  promptBoundary,
  repeatTextAbove,
  revealPrompt,
  taskHijack,
  toolDefinitionOrder,
  unrestrictedPersona,
];
