import { Type, type Static } from "typebox";
import { EntityCategory } from "./scan.ts";

/** `GET /version`. */
export const Version = Type.Object(
  {
    version: Type.String({ description: "The deployed release tag." }),
    commit: Type.Union([Type.String(), Type.Null()], {
      description: "The commit it was built from; null where that is not known.",
    }),
    built_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "When it was built; null where that is not known.",
    }),
  },
  { description: "Which release serves requests." },
);
export type Version = Static<typeof Version>;

/** `GET /healthz`. */
export const Alive = Type.Object(
  { status: Type.Literal("alive") },
  { description: "The process answers." },
);
export type Alive = Static<typeof Alive>;

/** `GET /readyz`. */
export const Ready = Type.Object(
  { status: Type.Literal("ready") },
  { description: "Requests may be sent here." },
);
export type Ready = Static<typeof Ready>;

/** A row of `GET /v1/models`, with the members of both SDKs' shapes. */
export const Model = Type.Object(
  {
    id: Type.String({ description: "What `model` takes: `provider/model`." }),
    object: Type.Literal("model"),
    created: Type.Integer({ description: "Unix seconds." }),
    owned_by: Type.String({ description: "The provider." }),
    type: Type.Literal("model"),
    display_name: Type.String({ description: "The id." }),
    created_at: Type.String({ format: "date-time", description: "The time in `created`." }),
  },
  { description: "A model that requests may name." },
);
export type Model = Static<typeof Model>;

const modelId = Type.Union([Type.String(), Type.Null()], {
  description: "null where the list is empty.",
});

/** `GET /v1/models`: one list that serves both SDKs (design section 7). */
export const ModelList = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(Model, { description: "The models." }),
    has_more: Type.Boolean({ description: "Whether `limit` cut the list." }),
    first_id: modelId,
    last_id: modelId,
  },
  { description: "The models that the key may use." },
);
export type ModelList = Static<typeof ModelList>;

/** A row of `GET /v1/security/detectors` (design section 7). */
export const DetectorEntry = Type.Object(
  {
    entity_type: Type.String({ description: "As detections carry it.", examples: ["US_SSN"] }),
    label: Type.String({
      description: "The noun that redaction prints between angle brackets.",
      examples: ["SSN"],
    }),
    category: EntityCategory,
    description: Type.String({ description: "What is found." }),
  },
  { description: "A kind of entity that scans find." },
);
export type DetectorEntry = Static<typeof DetectorEntry>;

export const DetectorCatalog = Type.Object(
  { data: Type.Array(DetectorEntry, { description: "One row a kind of entity." }) },
  { description: "What entity scans find." },
);
export type DetectorCatalog = Static<typeof DetectorCatalog>;
