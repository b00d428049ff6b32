import fc from "fast-check";

// The same inputs in each run; PROPERTY_SEED names others.
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });

export default fc;
