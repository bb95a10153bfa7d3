/** Where the sample goes unless somebody says otherwise: it shall not mix with what people say themselves. */
export const SAMPLE_SCOPE = "demo";
