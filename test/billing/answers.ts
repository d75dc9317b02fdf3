import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";
import type { CostStatus, UsageBuckets } from "../../src/contract/usage.ts";
import type { Wire } from "../../src/contract/wire.ts";

/** An answer in the shape that its provider documents, what it used, and what that costs. */
export interface AnswerRow {
  readonly name: string;
  readonly wire: Wire;
  /** A JSON body, or the `data:` payloads of a stream. */
  readonly answer: string | readonly string[];
  readonly price: ConfiguredPrice;
  readonly buckets: Partial<UsageBuckets> | null;
  readonly status: CostStatus;
  /** By hand from the price list; null: none can be told. */
  readonly microUsd: bigint | null;
}

const gpt5: ConfiguredPrice = {
  inputUsdPerMillion: "1.25",
  outputUsdPerMillion: "10",
  cacheReadUsdPerMillion: "0.125",
  serviceTiers: {
    flex: {
      inputUsdPerMillion: "0.625",
      outputUsdPerMillion: "5",
      cacheReadUsdPerMillion: "0.0625",
    },
    priority: {
      inputUsdPerMillion: "2.5",
      outputUsdPerMillion: "20",
      cacheReadUsdPerMillion: "0.25",
    },
  },
};
const gptAudio: ConfiguredPrice = {
  inputUsdPerMillion: "2.5",
  outputUsdPerMillion: "10",
  audioInputUsdPerMillion: "40",
  audioOutputUsdPerMillion: "80",
};
const sonnet: ConfiguredPrice = {
  inputUsdPerMillion: "3",
  outputUsdPerMillion: "15",
  cacheReadUsdPerMillion: "0.3",
  cacheWrite5mUsdPerMillion: "3.75",
  cacheWrite1hUsdPerMillion: "6",
  toolCallUsd: "0.01",
  longContext: [
    {
      thresholdTokens: 200_000,
      inputUsdPerMillion: "6",
      outputUsdPerMillion: "22.5",
      cacheReadUsdPerMillion: "0.6",
      cacheWrite5mUsdPerMillion: "7.5",
      cacheWrite1hUsdPerMillion: "12",
    },
  ],
};
const deepseek: ConfiguredPrice = {
  inputUsdPerMillion: "0.28",
  outputUsdPerMillion: "0.42",
  cacheReadUsdPerMillion: "0.028",
};
const geminiFlash: ConfiguredPrice = {
  inputUsdPerMillion: "0.3",
  outputUsdPerMillion: "2.5",
  cacheReadUsdPerMillion: "0.03",
};
const llama: ConfiguredPrice = { inputUsdPerMillion: "0.59", outputUsdPerMillion: "0.79" };
const grok: ConfiguredPrice = {
  inputUsdPerMillion: "0.2",
  outputUsdPerMillion: "0.5",
  cacheReadUsdPerMillion: "0.05",
};

const openAiUsage = `{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,
  "prompt_tokens_details":{"cached_tokens":1920,"audio_tokens":0},
  "completion_tokens_details":{"reasoning_tokens":192,"audio_tokens":0,
    "accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}`;
const openAiBuckets = { uncachedInput: 86, cacheRead: 1920, reasoning: 192, outputText: 108 };

function openAiAnswer(serviceTier: string): string {
  return `{"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion","created":1741569952,
  "model":"gpt-5-2025-08-07","choices":[{"index":0,"message":{"role":"assistant",
    "content":"The key \\"usage\\" stands in {\\"usage\\":{\\"prompt_tokens\\":9}}.","refusal":null,
    "annotations":[]},"logprobs":null,"finish_reason":"stop"}],
  "usage":${openAiUsage},"service_tier":"${serviceTier}"}`;
}

function openAiChunk(rest: string): string {
  return `{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-5-2025-08-07","service_tier":"default","system_fingerprint":null,${rest}}`;
}

function anthropicAnswer(usage: string): string {
  return `{"id":"msg_013Zva2CMHLNnXjNJJKqJ2EF","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929",
  "content":[{"type":"text","text":"Hi! My name is Claude."}],"stop_reason":"end_turn","stop_sequence":null,
  "usage":${usage}}`;
}

/** `message_start` of a stream; the closing event's usage is what counts. */
function anthropicStream(atStart: string, atEnd: string): readonly string[] {
  return [
    `{"type":"message_start","message":{"id":"msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY","type":"message","role":"assistant","content":[],"model":"claude-sonnet-4-5-20250929","stop_reason":null,"stop_sequence":null,"usage":${atStart}}}`,
    `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
    `{"type":"ping"}`,
    `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\"usage\\":{\\"output_tokens\\":9}"}}`,
    `{"type":"content_block_stop","index":0}`,
    `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":${atEnd}}`,
    `{"type":"message_stop"}`,
  ];
}

export const answers: readonly AnswerRow[] = [
  {
    name: "OpenAI, cached input and reasoning",
    wire: "chat",
    answer: openAiAnswer("default"),
    price: gpt5,
    buckets: openAiBuckets,
    status: "calculated",
    // 86 × 1.25 + 1920 × 0.125 + 300 × 10 = 107.5 + 240 + 3000 = 3347.5
    microUsd: 3_348n,
  },
  {
    name: "OpenAI, flex tier",
    wire: "chat",
    answer: openAiAnswer("flex"),
    price: gpt5,
    buckets: openAiBuckets,
    status: "calculated",
    // 86 × 0.625 + 1920 × 0.0625 + 300 × 5 = 53.75 + 120 + 1500 = 1673.75
    microUsd: 1_674n,
  },
  {
    name: "OpenAI, priority tier",
    wire: "chat",
    answer: openAiAnswer("priority"),
    price: gpt5,
    buckets: openAiBuckets,
    status: "calculated",
    // 86 × 2.5 + 1920 × 0.25 + 300 × 20 = 215 + 480 + 6000
    microUsd: 6_695n,
  },
  {
    name: "OpenAI, a tier without rates",
    wire: "chat",
    answer: openAiAnswer("scale"),
    price: gpt5,
    buckets: openAiBuckets,
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "OpenAI, stream with usage in its last chunk",
    wire: "chat",
    answer: [
      openAiChunk(
        `"choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":null`,
      ),
      openAiChunk(
        `"choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}],"usage":null`,
      ),
      openAiChunk(
        `"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null`,
      ),
      openAiChunk(`"choices":[],"usage":${openAiUsage}`),
      "[DONE]",
    ],
    price: gpt5,
    buckets: openAiBuckets,
    status: "calculated",
    microUsd: 3_348n,
  },
  {
    name: "OpenAI, stream without usage",
    wire: "chat",
    answer: [openAiChunk(`"choices":[{"index":0,"delta":{"content":"Hello"}}]`), "[DONE]"],
    price: gpt5,
    buckets: null,
    status: "streaming_no_usage",
    microUsd: null,
  },
  {
    name: "OpenAI, audio in and out",
    wire: "chat",
    answer: `{"id":"chatcmpl-AQ","object":"chat.completion","created":1730234400,"model":"gpt-4o-audio-preview-2024-10-01",
      "choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,
        "audio":{"id":"audio_abc123","expires_at":1729018505,"data":"UklGRg==","transcript":"Yes."}},"finish_reason":"stop"}],
      "usage":{"prompt_tokens":117,"completion_tokens":248,"total_tokens":365,
        "prompt_tokens_details":{"cached_tokens":0,"text_tokens":17,"audio_tokens":100,"image_tokens":0},
        "completion_tokens_details":{"reasoning_tokens":0,"text_tokens":48,"audio_tokens":200}},
      "service_tier":"default"}`,
    price: gptAudio,
    buckets: { uncachedInput: 17, audioInput: 100, outputText: 48, audioOutput: 200 },
    status: "calculated",
    // 17 × 2.5 + 100 × 40 + 48 × 10 + 200 × 80 = 42.5 + 4000 + 480 + 16000 = 20522.5
    microUsd: 20_523n,
  },
  {
    name: "OpenAI, audio whose rate is missing",
    wire: "chat",
    answer: `{"choices":[],"usage":{"prompt_tokens":117,"completion_tokens":5,"total_tokens":122,
      "prompt_tokens_details":{"cached_tokens":0,"audio_tokens":100}}}`,
    price: gpt5,
    buckets: { uncachedInput: 17, audioInput: 100, outputText: 5 },
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "Anthropic, both kinds of cache writes",
    wire: "messages",
    answer: anthropicAnswer(
      `{"input_tokens":2095,"cache_creation_input_tokens":556,"cache_read_input_tokens":1800,
       "cache_creation":{"ephemeral_5m_input_tokens":456,"ephemeral_1h_input_tokens":100},
       "output_tokens":503,"service_tier":"standard","inference_geo":"not_available"}`,
    ),
    price: sonnet,
    buckets: {
      uncachedInput: 2095,
      cacheRead: 1800,
      cacheWrite5m: 456,
      cacheWrite1h: 100,
      outputText: 503,
    },
    status: "calculated",
    // 2095 × 3 + 1800 × 0.3 + 456 × 3.75 + 100 × 6 + 503 × 15 = 6285 + 540 + 1710 + 600 + 7545
    microUsd: 16_680n,
  },
  {
    name: "Anthropic, web searches",
    wire: "messages",
    answer: anthropicAnswer(
      `{"input_tokens":105,"output_tokens":6039,"cache_read_input_tokens":7123,"cache_creation_input_tokens":7345,
       "server_tool_use":{"web_search_requests":3,"web_fetch_requests":1}}`,
    ),
    price: sonnet,
    buckets: {
      uncachedInput: 105,
      cacheRead: 7123,
      cacheWrite5m: 7345,
      outputText: 6039,
      toolCalls: 3,
    },
    status: "calculated",
    // 105 × 3 + 7123 × 0.3 + 7345 × 3.75 + 6039 × 15 + 3 × 10000
    // = 315 + 2136.9 + 27543.75 + 90585 + 30000 = 150580.65
    microUsd: 150_581n,
  },
  {
    name: "Anthropic, input over 200,000 tokens, cached included",
    wire: "messages",
    answer: anthropicAnswer(
      `{"input_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":200000,"output_tokens":100}`,
    ),
    price: sonnet,
    buckets: { uncachedInput: 1, cacheRead: 200_000, outputText: 100 },
    status: "calculated",
    // 1 × 6 + 200000 × 0.6 + 100 × 22.5
    microUsd: 122_256n,
  },
  {
    name: "Anthropic, input of exactly 200,000 tokens",
    wire: "messages",
    answer: anthropicAnswer(
      `{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":200000,"output_tokens":100}`,
    ),
    price: sonnet,
    buckets: { cacheRead: 200_000, outputText: 100 },
    status: "calculated",
    // 200000 × 0.3 + 100 × 15
    microUsd: 61_500n,
  },
  {
    name: "Anthropic, fast mode has no rates here",
    wire: "messages",
    answer: anthropicAnswer(
      `{"input_tokens":10,"output_tokens":10,"service_tier":"standard","speed":"fast"}`,
    ),
    price: sonnet,
    buckets: { uncachedInput: 10, outputText: 10 },
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "Anthropic, stream: the closing count replaces the opening one",
    wire: "messages",
    answer: anthropicStream(
      `{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":100},"output_tokens":1,"service_tier":"standard"}`,
      `{"output_tokens":15}`,
    ),
    price: sonnet,
    buckets: { uncachedInput: 25, cacheWrite1h: 100, outputText: 15 },
    status: "calculated",
    // 25 × 3 + 100 × 6 + 15 × 15 = 75 + 600 + 225
    microUsd: 900n,
  },
  {
    name: "Anthropic, stream with a web search: input counts grow",
    wire: "messages",
    answer: anthropicStream(
      `{"input_tokens":2679,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3}`,
      `{"input_tokens":10682,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":510,"server_tool_use":{"web_search_requests":1}}`,
    ),
    price: sonnet,
    buckets: { uncachedInput: 10_682, outputText: 510, toolCalls: 1 },
    status: "calculated",
    // 10682 × 3 + 510 × 15 + 10000 = 32046 + 7650 + 10000
    microUsd: 49_696n,
  },
  {
    name: "Anthropic, stream cut before its closing event",
    wire: "messages",
    answer: anthropicStream(
      `{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}`,
      "",
    ).slice(0, 4),
    price: sonnet,
    buckets: { uncachedInput: 25, outputText: 1 },
    status: "calculated",
    // 25 × 3 + 15
    microUsd: 90n,
  },
  {
    name: "OpenRouter, its own cost",
    wire: "chat",
    answer: `{"id":"gen-1757","provider":"Anthropic","model":"anthropic/claude-sonnet-4.5","object":"chat.completion","created":1757,
      "choices":[{"logprobs":null,"finish_reason":"stop","native_finish_reason":"end_turn","index":0,"message":{"role":"assistant","content":"Hi","refusal":null,"reasoning":null}}],
      "usage":{"prompt_tokens":194,"completion_tokens":2,"total_tokens":196,"cost":0.000136450000000001,"is_byok":false,
        "prompt_tokens_details":{"cached_tokens":100,"cache_write_tokens":50,"audio_tokens":0},
        "cost_details":{"upstream_inference_cost":null,"upstream_inference_prompt_cost":0.0001,"upstream_inference_completions_cost":0.00003},
        "completion_tokens_details":{"reasoning_tokens":0,"image_tokens":0}}}`,
    price: sonnet,
    buckets: { uncachedInput: 44, cacheRead: 100, cacheWrite5m: 50, outputText: 2 },
    status: "upstream_reported_cost",
    // $0.00013645… = 136.45 micro-dollars
    microUsd: 136n,
  },
  {
    name: "OpenRouter, stream, cost in exponent form",
    wire: "chat",
    answer: [
      `{"id":"gen-1","provider":"OpenAI","model":"openai/gpt-5","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}`,
      `{"id":"gen-1","provider":"OpenAI","model":"openai/gpt-5","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"native_finish_reason":null,"logprobs":null}],"usage":{"prompt_tokens":8,"completion_tokens":1,"total_tokens":9,"cost":9.5e-7,"is_byok":false}}`,
      "[DONE]",
    ],
    price: gpt5,
    buckets: { uncachedInput: 8, outputText: 1 },
    status: "upstream_reported_cost",
    // 0.95 micro-dollars
    microUsd: 1n,
  },
  {
    name: "Gemini's OpenAI mode: thinking is only in the total",
    wire: "chat",
    answer: `{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"Hello!","role":"assistant"}}],
      "created":1750000000,"id":"abc","model":"gemini-2.5-flash","object":"chat.completion",
      "usage":{"completion_tokens":36,"prompt_tokens":12,"total_tokens":1250}}`,
    price: geminiFlash,
    // 1250 − 12 − 36 = 1202
    buckets: { uncachedInput: 12, outputText: 36, reasoning: 1_202 },
    status: "calculated",
    // 12 × 0.3 + 1238 × 2.5 = 3.6 + 3095
    microUsd: 3_099n,
  },
  {
    name: "Gemini's OpenAI mode: nothing written",
    wire: "chat",
    answer: `{"choices":[{"finish_reason":"content_filter","index":0,"message":{"role":"assistant"}}],"created":1750000000,"model":"gemini-2.5-flash","object":"chat.completion","usage":{"prompt_tokens":100,"total_tokens":100}}`,
    price: geminiFlash,
    buckets: { uncachedInput: 100 },
    status: "calculated",
    microUsd: 30n,
  },
  {
    name: "DeepSeek, cache hit and miss",
    wire: "chat",
    answer: `{"id":"930c60df","object":"chat.completion","created":1705651092,"model":"deepseek-chat",
      "choices":[{"index":0,"message":{"role":"assistant","content":"Hello!"},"logprobs":null,"finish_reason":"stop"}],
      "usage":{"prompt_tokens":1600,"completion_tokens":250,"total_tokens":1850,"prompt_tokens_details":{"cached_tokens":1536},
        "completion_tokens_details":{"reasoning_tokens":200},"prompt_cache_hit_tokens":1536,"prompt_cache_miss_tokens":64},
      "system_fingerprint":"fp_f49d7f8b65_prod0820_fp8_kvcache"}`,
    price: deepseek,
    buckets: { uncachedInput: 64, cacheRead: 1_536, reasoning: 200, outputText: 50 },
    status: "calculated",
    // 64 × 0.28 + 1536 × 0.028 + 250 × 0.42 = 17.92 + 43.008 + 105 = 165.928
    microUsd: 166n,
  },
  {
    name: "DeepSeek, stream, hits named only beside the details",
    wire: "chat",
    answer: [
      `{"id":"1f633d8b","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-chat","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null,"logprobs":null}],"usage":null}`,
      `{"id":"1f633d8b","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-chat","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop","logprobs":null}],"usage":{"prompt_tokens":17,"completion_tokens":9,"total_tokens":26,"prompt_cache_hit_tokens":10,"prompt_cache_miss_tokens":7}}`,
      "[DONE]",
    ],
    price: deepseek,
    buckets: { uncachedInput: 7, cacheRead: 10, outputText: 9 },
    status: "calculated",
    // 1.96 + 0.28 + 3.78 = 6.02
    microUsd: 6n,
  },
  {
    name: "Groq",
    wire: "chat",
    answer: `{"id":"chatcmpl-f51b2cd2","object":"chat.completion","created":1730241104,"model":"llama-3.3-70b-versatile",
      "choices":[{"index":0,"message":{"role":"assistant","content":"Fast."},"logprobs":null,"finish_reason":"stop"}],
      "usage":{"queue_time":0.037493756,"prompt_tokens":18,"prompt_time":0.000680594,"completion_tokens":556,
        "completion_time":0.463333333,"total_tokens":574,"total_time":0.464013927},
      "usage_breakdown":null,"system_fingerprint":"fp_179b0f92c9","x_groq":{"id":"req_01jbd6g2"},"service_tier":"on_demand"}`,
    price: llama,
    buckets: { uncachedInput: 18, outputText: 556 },
    status: "calculated",
    // 18 × 0.59 + 556 × 0.79 = 10.62 + 439.24 = 449.86
    microUsd: 450n,
  },
  {
    name: "Groq, stream, usage in a member of its own",
    wire: "chat",
    answer: [
      `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"llama-3.3-70b-versatile","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"x_groq":{"id":"req_1"}}`,
      `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"llama-3.3-70b-versatile","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.1,"prompt_tokens":18,"prompt_time":0.1,"completion_tokens":556,"completion_time":0.4,"total_tokens":574,"total_time":0.5}}}`,
      "[DONE]",
    ],
    price: llama,
    buckets: { uncachedInput: 18, outputText: 556 },
    status: "calculated",
    microUsd: 450n,
  },
  {
    name: "vLLM, usage in every chunk",
    wire: "chat",
    answer: [
      `{"id":"cmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":40,"total_tokens":41,"completion_tokens":1}}`,
      `{"id":"cmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"b"}}],"usage":{"prompt_tokens":40,"total_tokens":42,"completion_tokens":2}}`,
      `{"id":"cmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":40,"total_tokens":42,"completion_tokens":2}}`,
      "[DONE]",
    ],
    price: llama,
    buckets: { uncachedInput: 40, outputText: 2 },
    status: "calculated",
    // 40 × 0.59 + 2 × 0.79 = 23.6 + 1.58 = 25.18
    microUsd: 25n,
  },
  {
    name: "vLLM",
    wire: "chat",
    answer: `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":null,"content":"x","tool_calls":[]},"logprobs":null,"finish_reason":"stop","stop_reason":null}],
      "usage":{"prompt_tokens":40,"total_tokens":42,"completion_tokens":2,"prompt_tokens_details":null},"prompt_logprobs":null,"kv_transfer_params":null}`,
    price: llama,
    buckets: { uncachedInput: 40, outputText: 2 },
    status: "calculated",
    microUsd: 25n,
  },
  {
    name: "xAI counts reasoning beside the completion",
    wire: "chat",
    answer: `{"id":"x","object":"chat.completion","created":1,"model":"grok-4","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],
      "usage":{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,"prompt_tokens_details":{"text_tokens":32,"audio_tokens":0,"image_tokens":0,"cached_tokens":6},
        "completion_tokens_details":{"reasoning_tokens":94,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0},"num_sources_used":0}}`,
    price: grok,
    buckets: { uncachedInput: 26, cacheRead: 6, reasoning: 94, outputText: 9 },
    status: "calculated",
    // 26 × 0.2 + 6 × 0.05 + 103 × 0.5 = 5.2 + 0.3 + 51.5 = 57
    microUsd: 57n,
  },
  {
    name: "Perplexity, cost in parts",
    wire: "chat",
    answer: `{"id":"p","model":"sonar","created":1,"usage":{"prompt_tokens":14,"completion_tokens":70,"total_tokens":84,"search_context_size":"low",
      "cost":{"input_tokens_cost":0.000014,"output_tokens_cost":0.00007,"request_cost":0.005,"total_cost":0.005084}},"object":"chat.completion","choices":[]}`,
    price: llama,
    buckets: { uncachedInput: 14, outputText: 70 },
    status: "upstream_reported_cost",
    microUsd: 5_084n,
  },
  {
    name: "no usage in a JSON answer",
    wire: "chat",
    answer: `{"id":"x","object":"chat.completion","choices":[]}`,
    price: llama,
    buckets: null,
    status: "missing_usage",
    microUsd: null,
  },
  {
    name: "a free model",
    wire: "chat",
    answer: `{"id":"x","choices":[],"usage":{"prompt_tokens":14,"completion_tokens":70,"total_tokens":84,"cost":0}}`,
    price: { inputUsdPerMillion: "0", outputUsdPerMillion: "0" },
    buckets: { uncachedInput: 14, outputText: 70 },
    status: "free_request",
    microUsd: 0n,
  },
];
