import { z } from 'zod';
import { isBaseUrl } from './kinds.ts';

export type LlmConfig = Readonly<{
  /** The language model that summarises news. If absent, built-in sentences are used. */
  llm: Readonly<{ baseUrl: string; model: string; apiKey: string | undefined }> | undefined;
}>;

/** The environment variables of the language model. */
export const LLM_SETTINGS = {
  LLM_BASE_URL: z
    .string()
    .refine(isBaseUrl, 'LLM_BASE_URL is not a plain http:// or https:// address')
    .optional(),
  LLM_MODEL: z.string().optional(),
  // Messages never contain the value: it is a secret.
  LLM_API_KEY: z
    .string()
    .refine(
      (key) => /^[\x21-\x7e]+$/.test(key),
      'LLM_API_KEY contains blanks or characters other than printable ASCII',
    )
    .optional(),
};

type LlmSettings = {
  LLM_BASE_URL?: string | undefined;
  LLM_MODEL?: string | undefined;
  LLM_API_KEY?: string | undefined;
};

/** Returns the language model's part of the configuration. `readConfig` refuses an address without a model. */
export function llmOf({ LLM_BASE_URL, LLM_MODEL, LLM_API_KEY }: LlmSettings): LlmConfig {
  return {
    llm:
      LLM_BASE_URL === undefined || LLM_MODEL === undefined
        ? undefined
        : Object.freeze({ baseUrl: LLM_BASE_URL, model: LLM_MODEL, apiKey: LLM_API_KEY }),
  };
}
