/** 会记事的中文助手：不用模型、不用密钥，按原话记住，按原话回答。 */
import { Memory } from "neuromem/runtime";

const memory = await Memory.open({ path: "assistant.db", scope: "王芳" });
await memory.record({
  user: { speaker: "王芳", text: "我上个月从成都搬到了杭州，女儿小雨在西湖小学读一年级。" },
  assistant: "记下了。",
  session: "搬家",
});
await memory.record({
  user: { speaker: "王芳", text: "小雨对花生过敏，点外卖的时候千万要注意。" },
  assistant: "好的，我会提醒您。",
  session: "饮食",
});

const { answer, evidence } = await memory.ask("小雨对什么过敏？", { zone: "Asia/Shanghai" });
console.log(`答：${answer}`);
for (const { text, happenedAt } of evidence)
  console.log(`  依据：${text}（${new Date(happenedAt).toISOString().slice(0, 10)}）`);

const { hits } = await memory.recall("王芳搬到哪里了？", { limit: 1, explain: true });
console.log(`记得：${hits[0]?.text}`, hits[0]?.scoreParts);
await memory.close();
