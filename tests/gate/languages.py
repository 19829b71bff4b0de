"""Entries in other languages and scripts."""

from __future__ import annotations

from tests.gate.shapes import Entry

GERMAN = Entry(
    "Datenbankverbindungen gehen beim Nachtlauf aus",
    """\
Der Nachtlauf öffnet für jeden Mandanten eine eigene Verbindung und gibt sie erst am Ende zurück.
Bei mehr als 30 Mandanten wartet der Dienst auf sich selbst. Verbindungen dürfen nicht über die
Grenze eines Mandanten hinaus gehalten werden; die Obergrenze steht in `config/pool.yml`.""",
    1,
)
GERMAN_2 = Entry(
    "Umlaute in Dateinamen vor dem Hochladen vereinheitlichen",
    """\
Auf dem Mac geschriebene Namen zerlegen die Umlaute, auf Linux sind sie ein Zeichen. Der Vergleich
der beiden schlug fehl, und jede Datei lag doppelt im Speicher. Namen vor dem Hochladen in eine
Form bringen und danach erst die Prüfsumme bilden.""",
    2,
)
FRENCH = Entry(
    "Les jetons expirent pendant les longues sauvegardes",
    """\
Une sauvegarde de plus de 55 minutes dépasse la durée de vie du jeton, et le dernier envoi échoue
sans message clair. Il ne faut jamais relancer la sauvegarde entière : renouveler le jeton avant
chaque envoi et reprendre au dernier bloc confirmé par le serveur.""",
    3,
)
SPANISH = Entry(
    "Los informes mensuales bloquean la tabla de pedidos",
    """\
El informe lee todos los pedidos en una sola transacción y la limpieza nocturna espera hasta que
termina. Usar la réplica de lectura para los informes y no ejecutar la limpieza mientras dure uno.
Medido en marzo: 38 minutos de espera sin ningún aviso en el panel.""",
    4,
)
PORTUGUESE = Entry(
    "Migrações não podem depender do fuso horário",
    """\
A migração converteu datas com o fuso do servidor, e os pedidos feitos depois das 21 horas mudaram
de dia. Guardar sempre em UTC e converter apenas na tela. A correção levou 4 dias, porque a cópia
de segurança tinha sido feita depois da migração.""",
    5,
)
RUSSIAN = Entry(
    "Очередь писем нельзя очищать во время выпуска",
    """\
Во время выпуска рабочие процессы перезапускаются, и письма без подтверждения возвращаются
в очередь. Если очередь очистить в эти 12 минут, письма пропадут без следа в
журнале. Сначала дождаться конца
выпуска, затем проверить счётчик и только потом удалять старые сообщения.""",
    6,
)
JAPANESE = Entry(
    "夜間バッチの再実行で請求が二重になる",
    """\
夜間バッチは途中で失敗しても自動では巻き戻らない。再実行する前に必ず処理済みの印を確認すること。
三月には確認せずに再実行したため、240件の請求が二重に送られた。再実行の手順は `docs/batch.md` に
まとめてあり、担当者以外は実行しないこと。""",
    7,
)
CHINESE = Entry(
    "缓存失效之前不要切换数据库",
    """\
切换数据库以后，旧缓存仍然返回旧的价格，客户在三十分钟内看到了错误的金额。切换之前先清空缓存，
再等待所有节点确认。不要只重启一个节点，因为其他节点会把旧数据写回来。监控里没有任何告警。""",
    8,
)
HINDI = Entry(
    "भुगतान की पुष्टि से पहले रसीद न भेजें",
    """\
भुगतान की पुष्टि आने में 45 सेकंड तक लग सकते हैं। पहले रसीद भेजने पर ग्राहक को दो बार संदेश मिला और
लेखा मेल नहीं खाया। पुष्टि का इंतज़ार करें, फिर रसीद बनाएँ, और असफल होने पर कतार में वापस डालें।""",
    9,
)
ARABIC = Entry(
    "لا تحذف الملفات المؤقتة أثناء النشر",
    """\
أثناء النشر تقرأ العمليات القديمة الملفات المؤقتة مدة 15 دقيقة بعد بدء العمليات الجديدة. حذفها قبل
ذلك يوقف الطلبات الجارية دون رسالة واضحة. انتظر حتى تنتهي العملية القديمة ثم احذف ما
بقي منها فقط.""",
    10,
)
THAI = Entry(
    "ห้ามลบดัชนีก่อนย้ายข้อมูลเสร็จ",
    """\
การย้ายข้อมูลอ่านดัชนีเดิมจนถึงขั้นตอนสุดท้าย ถ้าลบก่อนจะใช้เวลานานขึ้น 6 เท่าและระบบจะหยุดตอบ
ให้ตรวจสอบสถานะก่อน แล้วจึงลบดัชนีเก่าในวันถัดไป อย่าลบพร้อมกันหลายตาราง""",
    11,
)
VIETNAMESE = Entry(
    "Không khởi động lại máy chủ khi đang sao lưu",
    """\
Sao lưu giữ khóa của bảng đơn hàng trong khoảng 25 phút. Khởi động lại lúc đó làm hỏng bản sao và
lần sau phải sao lưu từ đầu. Hãy đợi dòng kết thúc trong nhật ký rồi mới khởi động lại.""",
    12,
)
